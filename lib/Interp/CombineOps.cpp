#include "Interpreter.h"
void heddle::interp::addCombineOps(Handlers &) {}
