#include <windows.h>
#include <wchar.h>
#include <stdio.h>
int wmain(int argc, wchar_t **argv) {
  WIN32_FIND_DATAW data;
  wchar_t pattern[MAX_PATH];
  GetCurrentDirectoryW(MAX_PATH, pattern);
  wcscat(pattern, L"\\*");
  HANDLE found = FindFirstFileW(pattern, &data);
  int count = 0;
  if (found != INVALID_HANDLE_VALUE) {
    do {
      count++;
      wprintf(L"%ls %lu\n", data.cFileName, data.nFileSizeLow);
    } while (FindNextFileW(found, &data));
    FindClose(found);
  }
  HKEY key;
  if (RegOpenKeyExW(HKEY_CURRENT_USER, L"Software\\Example", 0, KEY_READ, &key) == 0) RegCloseKey(key);
  return count;
}
