/// From this call on, an allocation that fails ends the program with one line on standard error and status 71, instead of the stack trace of the
/// Swift or C++ runtime. `before` is called first; it must not allocate. Works with the GNU C library only; elsewhere nothing changes.
void tell_memory_fault(void (*before)(void));
