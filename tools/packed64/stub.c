/*
 * Unpacks a program that packer.mjs has packed: nothing is imported, functions of the system are found by the hashes of their names.
 * One function without data of its own, so that its code can lie anywhere.
 */
typedef unsigned char byte;
typedef unsigned short half;
typedef unsigned int word;
typedef unsigned long long wide;
struct head { word own, packed, bytes, target, entry, imports, relocations, relocation_bytes, callbacks, unused; wide base, key; };

#define INLINE static inline __attribute__((always_inline))
INLINE word hash_of(const byte *name) {
  word hash = 5381;
  for (; *name; name++) hash = hash * 33 ^ *name;
  return hash;
}
/* By the lists of modules: the one whose name in small letters has this hash. */
INLINE byte *module_of(word wanted) {
  byte *block;
  __asm__("movq %%gs:0x60, %0" : "=r"(block));
  byte *list = *(byte **)(block + 0x18) + 0x20;
  for (byte *entry = *(byte **)list; entry != list; entry = *(byte **)entry) {
    const half *name = *(const half **)(entry + 0x50);
    word hash = 5381;
    for (word i = 0; i < *(half *)(entry + 0x48) / 2u; i++) {
      word letter = name[i];
      hash = hash * 33 ^ (letter >= 'A' && letter <= 'Z' ? letter + 32 : letter);
    }
    if (hash == wanted) return *(byte **)(entry + 0x20);
  }
  return 0;
}
INLINE void *function_of(byte *module, word wanted) {
  byte *header = module + *(word *)(module + 0x3c);
  word *table = (word *)(module + *(word *)(header + 0x88));
  const word *names = (const word *)(module + table[8]);
  const half *numbers = (const half *)(module + table[9]);
  const word *places = (const word *)(module + table[7]);
  for (word i = 0; i < table[6]; i++)
    if (hash_of(module + names[i]) == wanted) return module + places[numbers[i]];
  return 0;
}
/* The packed bytes, each hidden by the upper bits of a sequence of 64 bits. */
struct source { const byte *at; wide state; };
INLINE byte next(struct source *source) {
  source->state = source->state * 6364136223846793005ull + 1442695040888963407ull;
  return *source->at++ ^ (byte)(source->state >> 56);
}
INLINE void expand(const struct head *head, byte *to) {
  struct source source = {(const byte *)(head + 1), head->key};
  byte *end = to + head->bytes;
  for (word flags = 1; to < end; flags >>= 1) {
    if (flags == 1) flags = next(&source) | 0x100;
    if (flags & 1) {
      *to++ = next(&source);
      continue;
    }
    word low = next(&source), high = next(&source);
    const byte *from = to - (low | (high & 15) << 8);
    for (word left = (high >> 4) + 3; left > 0; left--) *to++ = *from++;
  }
}
INLINE void relocate(const struct head *head, byte *base) {
  byte *at = base + head->relocations, *end = at + head->relocation_bytes;
  for (; at < end; at += ((word *)at)[1])
    for (word i = 8; i < ((word *)at)[1]; i += 2) {
      half entry = *(half *)(at + i);
      if (entry >> 12 == 10) *(wide *)(base + *(word *)at + (entry & 0xfff)) += (wide)base - head->base;
    }
}
typedef void *load_library(const byte *);
typedef void *find_function(void *, const byte *);
typedef int protect(void *, wide, word, word *);
typedef void callback(void *, word, void *);

/* Answers where the program begins. */
wide unpack(struct head *head) {
  byte *base = (byte *)head - head->own;
  byte *kernel = module_of(KERNEL32);
  load_library *load = (load_library *)function_of(kernel, LOAD_LIBRARY);
  find_function *find = (find_function *)function_of(kernel, GET_PROC_ADDRESS);
  protect *change = (protect *)function_of(kernel, VIRTUAL_PROTECT);
  word before;
  change(base + head->target, head->bytes, 0x40, &before);
  expand(head, base + head->target);
  relocate(head, base);
  if (head->imports)
    for (word *table = (word *)(base + head->imports); table[3]; table += 5) {
      void *library = load(base + table[3]);
      wide *slot = (wide *)(base + table[4]);
      for (const wide *entry = (const wide *)(base + (table[0] ? table[0] : table[4])); *entry; entry++, slot++)
        *slot = (wide)find(library, (long long)*entry < 0 ? (byte *)(*entry & 0xffff) : base + *entry + 2);
    }
  if (head->callbacks)
    for (callback **told = *(callback ***)(base + head->callbacks); told && *told; told++) (*told)(base, 1, 0);
  return (wide)(base + head->entry);
}
