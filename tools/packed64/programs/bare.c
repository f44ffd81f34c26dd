/* Without the C runtime, at a fixed address. */
#include <windows.h>
static const char *const sayings[] = {
    "The tomatoes want water before the sun is high.",
    "Usage: keeper [--bed NAME] [--litres COUNT]",
    "https://greenhouse.example/readings/upload",
    "Software\\Example\\Greenhouse\\LastReading",
    "Beans are up by the south wall, and the peas are up by the north wall.",
    "The peas by the north wall want water after the beans by the south wall have had theirs.",
};
/* Litres for each bed and day. */
static const unsigned char plan[12288] = {[0 ... 4095] = 3, [4096 ... 8191] = 9, [8192 ... 12287] = 4};
static char copy[1024];
static unsigned counts[256];
__attribute__((noinline)) static unsigned copy_text(const char *text, unsigned at) {
  for (; *text; text++) {
    copy[at++ % sizeof copy] = *text;
    counts[(unsigned char)*text]++;
  }
  return at;
}
__attribute__((noinline)) static unsigned weigh(unsigned seed) {
  unsigned long long sum = seed;
  for (int i = 0; i < 256; i++) sum = sum * 31 + counts[i] * plan[i * 48];
  for (int i = 0; i < 64; i++) sum = (sum << 7) ^ (sum >> 9) ^ (sum / (unsigned)(i + 3));
  return (unsigned)(sum ^ (sum >> 32));
}
void start(void) {
  DWORD written = 0;
  unsigned length = 0;
  HANDLE out = GetStdHandle(STD_OUTPUT_HANDLE);
  for (unsigned i = 0; i < sizeof sayings / sizeof sayings[0]; i++) length = copy_text(sayings[i], length);
  WriteFile(out, copy, length, &written, NULL);
  if (GetVersion() == 7) MessageBoxA(NULL, "Greenhouse", sayings[1], 0);
  ExitProcess(weigh(written));
}
