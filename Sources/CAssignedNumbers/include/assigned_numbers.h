// The tables of the Bluetooth SIG's Assigned Numbers, which are the files in this target's Tables folder: lines of a number in hex digits of fixed
// width, a space and a name, in the order of the numbers. assigned-numbers.py makes them.

#pragma once
#include <stddef.h>

struct assigned_numbers {
  const unsigned char *bytes;
  size_t count;
};

// Company identifiers.
struct assigned_numbers assigned_companies(void);
// 16-bit UUIDs: services, characteristics, descriptors, declarations, members, SDOs, protocols and service classes of BR/EDR.
struct assigned_numbers assigned_uuids16(void);
// UUIDs published by vendors.
struct assigned_numbers assigned_uuids128(void);
// Appearances: category times 64, plus subcategory.
struct assigned_numbers assigned_appearances(void);
