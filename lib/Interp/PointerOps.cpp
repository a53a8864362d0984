#include "Interpreter.h"
void heddle::interp::addPointerOps(Handlers &) {}
