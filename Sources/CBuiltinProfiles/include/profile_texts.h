// The texts of the profiles that are compiled into the program: the files in this target's Profiles folder.

#pragma once
#include <stddef.h>

struct profile_text {
  const unsigned char *bytes;
  size_t count;
};

// The text of a profile by its number in the list of built-in profiles; without bytes where there is none.
struct profile_text profile_text(size_t number);
