// Made by Reports/HTML/hashes.py.

#define REPORT_STYLE_HASH "+uQYC2qQlwbNPcX05kW0b9uRArCazkOPb4zuougpeQ8="
#define REPORT_SCRIPT_HASH "fjU85MPHULPa9vCRAXXw5LuFl/4BxxbhNZ6Zm72V+G8="
