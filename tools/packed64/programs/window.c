#include <windows.h>
static LRESULT CALLBACK handle(HWND window, UINT message, WPARAM w, LPARAM l) {
  switch (message) {
    case WM_PAINT: {
      PAINTSTRUCT paint;
      HDC dc = BeginPaint(window, &paint);
      TextOutW(dc, 10, 10, L"Greenhouse", 10);
      EndPaint(window, &paint);
      return 0;
    }
    case WM_DESTROY:
      PostQuitMessage(0);
      return 0;
  }
  return DefWindowProcW(window, message, w, l);
}
int WINAPI WinMain(HINSTANCE instance, HINSTANCE before, LPSTR line, int show) {
  WNDCLASSW kind = {0};
  kind.lpfnWndProc = handle;
  kind.hInstance = instance;
  kind.lpszClassName = L"Greenhouse";
  RegisterClassW(&kind);
  HWND window = CreateWindowExW(0, L"Greenhouse", L"Beds and water", WS_OVERLAPPEDWINDOW, 0, 0, 300, 200,
                                NULL, NULL, instance, NULL);
  ShowWindow(window, show);
  MSG message;
  while (GetMessageW(&message, NULL, 0, 0) > 0) {
    TranslateMessage(&message);
    DispatchMessageW(&message);
  }
  return 0;
}
