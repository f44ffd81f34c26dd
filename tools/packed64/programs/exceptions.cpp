#include <stdexcept>
#include <iostream>
#include <map>
#include <string>
#include <vector>
struct Bed {
  std::string name;
  int litres;
};
static int water(const std::map<std::string, Bed> &beds, const std::string &name) {
  auto found = beds.find(name);
  if (found == beds.end()) throw std::out_of_range("no bed " + name);
  return found->second.litres;
}
int main() {
  std::map<std::string, Bed> beds{{"north", {"north", 3}}, {"south", {"south", 5}}};
  int sum = 0;
  for (auto name : {"north", "west", "south"}) {
    try {
      sum += water(beds, name);
    } catch (const std::out_of_range &error) {
      std::cerr << error.what() << "\n";
    }
  }
  std::cout << sum << "\n";
  return sum != 8;
}
