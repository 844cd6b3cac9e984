// Made by Reports/HTML/hashes.py.

#define REPORT_STYLE_HASH "jbjsLuL6EK0ob0u22glLA3aLcpuhT99VkBCL3VTD9Ro="
#define REPORT_SCRIPT_HASH "eUKMCTA3oCieAsBhviSCGpOIUN+SR/RzWkwLg5UEOqI="
