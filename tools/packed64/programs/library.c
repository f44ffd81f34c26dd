#include <windows.h>
#include <stdio.h>
static double level = 2.5;
static const char *names[] = {"north", "east", "south", "west"};
__declspec(dllexport) double gauge_level(int bed) { return level * bed; }
__declspec(dllexport) const char *gauge_name(int bed) { return names[bed & 3]; }
__declspec(dllexport) int gauge_count = 4;
__declspec(dllexport) void gauge_print(void) { printf("%s %f\n", names[0], level); }
BOOL WINAPI DllMain(HINSTANCE instance, DWORD why, LPVOID reserved) {
  if (why == DLL_PROCESS_ATTACH) {
    level += GetTickCount() % 3;
    DisableThreadLibraryCalls(instance);
  }
  return TRUE;
}
