/*
 * Runs single instructions on the real processor: reads cases from its input, writes what came of them to its output.
 * 32-bit and without a library, so that nothing but the instruction under test happens:
 *   gcc -m32 -O1 -nostdlib -static -fno-stack-protector -fno-pic -no-pie -o harness harness.c
 */
typedef unsigned long_word;
typedef unsigned char byte;

enum { CODE = 0x20000000, MEMORY = 0x10000000, DATA = 0x10000800, DATA_BYTES = 64, CODE_BYTES = 32 };
enum { EXIT = 1, READ = 3, WRITE = 4, MMAP = 90, RT_SIGACTION = 174, SIGALTSTACK = 186 };

struct asked { long_word registers[8]; long_word flags; long_word length; byte code[CODE_BYTES]; byte data[DATA_BYTES]; };
struct answered { long_word registers[8]; long_word flags; long_word faulted; byte data[DATA_BYTES]; };

static long_word call_system(long_word number, long_word a, long_word b, long_word c, long_word d) {
  long_word result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c), "S"(d) : "memory");
  return result;
}

long_word given[8], taken[8], given_flags, taken_flags, own_stack, faulted, target = CODE;
extern void run(void);
extern void back(void);
extern void fault(void);
/* Registers go in the order of their numbers: eax, ecx, edx, ebx, esp, ebp, esi, edi. */
__asm__(
    ".globl run\nrun:\n pushal\n mov %esp, own_stack\n"
    " mov given+0,%eax\n mov given+4,%ecx\n mov given+8,%edx\n mov given+12,%ebx\n"
    " mov given+20,%ebp\n mov given+24,%esi\n mov given+28,%edi\n"
    " pushl given_flags\n popfl\n mov given+16,%esp\n jmp *target\n"
    ".globl back\nback:\n mov %esp, taken+16\n mov own_stack,%esp\n pushfl\n popl taken_flags\n cld\n"
    " mov %eax,taken+0\n mov %ecx,taken+4\n mov %edx,taken+8\n mov %ebx,taken+12\n"
    " mov %ebp,taken+20\n mov %esi,taken+24\n mov %edi,taken+28\n popal\n ret\n"
    ".globl fault\nfault:\n movl $1,faulted\n mov own_stack,%esp\n cld\n popal\n ret\n");

static void read_all(byte *to, long_word bytes) {
  while (bytes) {
    long_word count = call_system(READ, 0, (long_word)to, bytes, 0);
    if ((int)count <= 0) call_system(EXIT, 0, 0, 0, 0);
    to += count;
    bytes -= count;
  }
}
static void write_all(byte *from, long_word bytes) {
  while (bytes) {
    long_word count = call_system(WRITE, 1, (long_word)from, bytes, 0);
    if ((int)count <= 0) call_system(EXIT, 2, 0, 0, 0);
    from += count;
    bytes -= count;
  }
}
static void map(long_word address, long_word bytes) {
  long_word arguments[6] = {address, bytes, 7, 0x32, (long_word)-1, 0};
  call_system(MMAP, (long_word)arguments, 0, 0, 0);
}
static byte signal_stack[65536];
/* An instruction that faults is one more result: the signal ends it, on a stack of its own. */
static void catch_faults(void) {
  long_word stack[3] = {(long_word)signal_stack, 0, sizeof signal_stack};
  call_system(SIGALTSTACK, (long_word)stack, 0, 0, 0);
  long_word action[5] = {(long_word)fault, 0x48000004, 0, 0, 0};
  long_word signals[4] = {4, 5, 8, 11};
  for (int i = 0; i < 4; i++) call_system(RT_SIGACTION, signals[i], (long_word)action, 0, 8);
}

void _start(void) {
  map(MEMORY, 0x2000);
  map(CODE, 0x1000);
  catch_faults();
  byte *data = (byte *)DATA, *code = (byte *)CODE;
  struct asked asked;
  struct answered answered;
  for (;;) {
    read_all((byte *)&asked, sizeof asked);
    for (int i = 0; i < 8; i++) given[i] = asked.registers[i];
    given_flags = asked.flags;
    for (int i = 0; i < DATA_BYTES; i++) data[i] = asked.data[i];
    for (long_word i = 0; i < asked.length; i++) code[i] = asked.code[i];
    /* Behind the instruction: a jump back. */
    long_word distance = (long_word)back - (CODE + asked.length + 5);
    code[asked.length] = 0xe9;
    for (int i = 0; i < 4; i++) code[asked.length + 1 + i] = distance >> (8 * i);
    faulted = 0;
    __asm__ volatile("fninit");
    run();
    for (int i = 0; i < 8; i++) answered.registers[i] = taken[i];
    answered.flags = taken_flags;
    answered.faulted = faulted;
    for (int i = 0; i < DATA_BYTES; i++) answered.data[i] = data[i];
    write_all((byte *)&answered, sizeof answered);
  }
}
