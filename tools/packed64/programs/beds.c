/* A library without the C runtime: exports, and a table of addresses that has to be relocated. */
#include <windows.h>
static const char *names[] = {"north", "east", "south", "west", "cold frame", "hot bed"};
static unsigned litres[] = {3, 5, 7, 2, 9, 4};
static unsigned north(void) { return litres[0]; }
static unsigned east(void) { return litres[1] * 2; }
static unsigned south(void) { return litres[2] + litres[0]; }
static unsigned (*const rules[])(void) = {north, east, south};
__declspec(dllexport) const char *bed_name(unsigned bed) { return names[bed % 6]; }
__declspec(dllexport) unsigned bed_litres(unsigned bed) { return rules[bed % 3]() + litres[bed % 6]; }
__declspec(dllexport) void bed_watered(unsigned bed) { litres[bed % 6] = 0; }
BOOL WINAPI begin(HINSTANCE instance, DWORD why, LPVOID reserved) {
  if (why == DLL_PROCESS_ATTACH) litres[5] += GetTickCount() % 3 + GetVersion() % 2;
  if (litres[5] > 90) OutputDebugStringA(names[5]);
  return TRUE;
}
