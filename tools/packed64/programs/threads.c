#include <windows.h>
#include <stdio.h>
static volatile LONG done;
static void NTAPI told(PVOID module, DWORD why, PVOID reserved) {
  if (why == DLL_PROCESS_ATTACH) InterlockedIncrement(&done);
}
__attribute__((section(".CRT$XLB"), used)) static PIMAGE_TLS_CALLBACK callback = told;
static __thread int own = 7;
static DWORD WINAPI work(LPVOID given) {
  for (int i = 0; i < 100; i++) own += i;
  InterlockedAdd(&done, own);
  return 0;
}
int main(void) {
  HANDLE threads[4];
  for (int i = 0; i < 4; i++) threads[i] = CreateThread(NULL, 0, work, NULL, 0, NULL);
  WaitForMultipleObjects(4, threads, TRUE, INFINITE);
  printf("done %ld\n", done);
  return 0;
}
