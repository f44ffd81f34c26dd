#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <time.h>
static int order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}
int main(void) {
  double values[500];
  srand((unsigned)time(NULL));
  for (int i = 0; i < 500; i++) values[i] = sin(i * 0.1) * pow(rand() % 100, 1.5);
  qsort(values, 500, sizeof values[0], order);
  printf("%f %f %f\n", values[0], values[250], values[499]);
  return 0;
}
