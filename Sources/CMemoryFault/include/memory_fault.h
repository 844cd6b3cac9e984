/// From this call on, an allocation that fails ends the program with one line on standard error and status 71, instead of the stack trace of the
/// Swift or C++ runtime. `before` is called first; it must not allocate. Works with the GNU C library only; elsewhere nothing changes.
void tell_memory_fault(void (*before)(void));

/// From this call on, blocks of 128 KiB and more are given back to the system when they are freed. By default the GNU C library keeps as much as the
/// largest block that was freed, up to 32 MiB; tables that grow are copied for each batch. Elsewhere nothing changes.
void return_freed_memory(void);
