/// Says in one line that the system gives no more memory, where the runtime of Swift or C++ would print a stack trace, and ends the program with
/// status 71 after a call of `before`. `before` may allocate nothing. Where the C library is not GNU's, the runtime says it in its own way.
void tell_memory_fault(void (*before)(void));
