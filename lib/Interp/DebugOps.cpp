#include "Interpreter.h"
void heddle::interp::addDebugOps(Handlers &) {}
