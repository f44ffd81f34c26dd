/*
 * Runs single instructions in 64-bit mode: reads cases from its input, writes what came of them to its output.
 * Without a library, so that nothing but the instruction under test happens:
 *   x86_64-linux-gnu-gcc -O1 -nostdlib -static -fno-stack-protector -fno-pic -no-pie -o harness long-harness.c
 */
typedef unsigned long word;
typedef unsigned char byte;

#define CODE 0x120000000ul
#define MEMORY 0x110000000ul
#define DATA 0x110000800ul
enum { DATA_BYTES = 64, CODE_BYTES = 32, REGISTERS = 16 };
enum { READ = 0, WRITE = 1, MMAP = 9, RT_SIGACTION = 13, EXIT = 60, SIGALTSTACK = 131 };

struct asked { word registers[REGISTERS]; word flags; word length; byte code[CODE_BYTES]; byte data[DATA_BYTES]; };
struct answered { word registers[REGISTERS]; word flags; word faulted; byte data[DATA_BYTES]; };

static word call_system(word number, word a, word b, word c, word d, word e, word f) {
  word result;
  register word r10 __asm__("r10") = d;
  register word r8 __asm__("r8") = e;
  register word r9 __asm__("r9") = f;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  return result;
}

word given[REGISTERS], taken[REGISTERS], given_flags, taken_flags, own_stack, faulted, target = CODE;
extern void run(void);
extern void back(void);
extern void fault(void);
extern void restore(void);
/* Registers go in the order of their numbers: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15. */
__asm__(
    ".globl run\nrun:\n push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n mov %rsp, own_stack\n"
    " mov given+0,%rax\n mov given+8,%rcx\n mov given+16,%rdx\n mov given+24,%rbx\n mov given+40,%rbp\n"
    " mov given+48,%rsi\n mov given+56,%rdi\n mov given+64,%r8\n mov given+72,%r9\n mov given+80,%r10\n"
    " mov given+88,%r11\n mov given+96,%r12\n mov given+104,%r13\n mov given+112,%r14\n mov given+120,%r15\n"
    " pushq given_flags\n popfq\n mov given+32,%rsp\n jmp *target\n"
    ".globl back\nback:\n mov %rsp, taken+32\n mov own_stack,%rsp\n pushfq\n popq taken_flags\n cld\n"
    " mov %rax,taken+0\n mov %rcx,taken+8\n mov %rdx,taken+16\n mov %rbx,taken+24\n mov %rbp,taken+40\n"
    " mov %rsi,taken+48\n mov %rdi,taken+56\n mov %r8,taken+64\n mov %r9,taken+72\n mov %r10,taken+80\n"
    " mov %r11,taken+88\n mov %r12,taken+96\n mov %r13,taken+104\n mov %r14,taken+112\n mov %r15,taken+120\n"
    "leave_run:\n pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n ret\n"
    ".globl fault\nfault:\n movq $1,faulted\n mov own_stack,%rsp\n cld\n jmp leave_run\n"
    ".globl restore\nrestore:\n mov $15,%eax\n syscall\n");

static void read_all(byte *to, word bytes) {
  while (bytes) {
    long count = (long)call_system(READ, 0, (word)to, bytes, 0, 0, 0);
    if (count <= 0) call_system(EXIT, 0, 0, 0, 0, 0, 0);
    to += count;
    bytes -= (word)count;
  }
}
static void write_all(byte *from, word bytes) {
  while (bytes) {
    long count = (long)call_system(WRITE, 1, (word)from, bytes, 0, 0, 0);
    if (count <= 0) call_system(EXIT, 2, 0, 0, 0, 0, 0);
    from += count;
    bytes -= (word)count;
  }
}
static void map(word address, word bytes) { call_system(MMAP, address, bytes, 7, 0x32, (word)-1, 0); }
static byte signal_stack[65536];
/* An instruction that faults is one more result: the signal ends it, on a stack of its own. */
static void catch_faults(void) {
  word stack[3] = {(word)signal_stack, 0, sizeof signal_stack};
  call_system(SIGALTSTACK, (word)stack, 0, 0, 0, 0, 0);
  word action[4] = {(word)fault, 0x4c000004, (word)restore, 0};
  word signals[5] = {4, 5, 7, 8, 11};
  for (int i = 0; i < 5; i++) call_system(RT_SIGACTION, signals[i], (word)action, 0, 8, 0, 0);
}

void begin(void) {
  map(MEMORY, 0x2000);
  map(CODE, 0x1000);
  catch_faults();
  byte *data = (byte *)DATA, *code = (byte *)CODE;
  struct asked asked;
  struct answered answered;
  for (;;) {
    read_all((byte *)&asked, sizeof asked);
    for (int i = 0; i < REGISTERS; i++) given[i] = asked.registers[i];
    given_flags = asked.flags;
    for (int i = 0; i < DATA_BYTES; i++) data[i] = asked.data[i];
    for (word i = 0; i < asked.length; i++) code[i] = asked.code[i];
    /* Behind the instruction: a jump back, by an address of 64 bits. */
    byte jump[14] = {0xff, 0x25, 0, 0, 0, 0};
    for (int i = 0; i < 8; i++) jump[6 + i] = (byte)((word)back >> (8 * i));
    for (int i = 0; i < 14; i++) code[asked.length + (word)i] = jump[i];
    faulted = 0;
    run();
    for (int i = 0; i < REGISTERS; i++) answered.registers[i] = taken[i];
    answered.flags = taken_flags;
    answered.faulted = faulted;
    for (int i = 0; i < DATA_BYTES; i++) answered.data[i] = data[i];
    write_all((byte *)&answered, sizeof answered);
  }
}
__asm__(".globl _start\n_start:\n and $-16,%rsp\n call begin\n");
