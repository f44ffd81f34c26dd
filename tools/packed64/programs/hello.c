#include <stdio.h>
#include <string.h>
static int counter;
int main(int argc, char **argv) {
  char line[128];
  snprintf(line, sizeof line, "Rain gauge %d of %s", argc, argv[0]);
  puts(line);
  for (int i = 0; i < 10; i++) counter += (int)strlen(line) * i;
  printf("sum %d\n", counter);
  return 0;
}
