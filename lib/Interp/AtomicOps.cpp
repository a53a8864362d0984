#include "Interpreter.h"
void heddle::interp::addAtomicOps(Handlers &) {}
