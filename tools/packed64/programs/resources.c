#include <windows.h>
#include <stdio.h>
int main(void) {
  HRSRC found = FindResourceA(NULL, MAKEINTRESOURCEA(7), (LPCSTR)RT_RCDATA);
  if (!found) return 1;
  HGLOBAL loaded = LoadResource(NULL, found);
  printf("%.*s\n", (int)SizeofResource(NULL, found), (const char *)LockResource(loaded));
  char text[64];
  LoadStringA(GetModuleHandleA(NULL), 40, text, sizeof text);
  puts(text);
  return 0;
}
