// Written by hashes.py.

#define REPORT_STYLE_HASH "3yETqXLL+mya3EDg9p1MkKPEvO9vTWCZfGsGCa7tPXk="
#define REPORT_SCRIPT_HASH "BO3JBOw9dItFKx8NL8zZm/Z76zHJa6jmnqeUpHhneCA="
