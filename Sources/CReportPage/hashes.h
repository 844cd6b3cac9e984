// Written by hashes.py.

#define REPORT_STYLE_HASH "R0LL+E6ZkUctRntUepzVu8KbYAglh2Ka0DS3igb2T88="
#define REPORT_SCRIPT_HASH "BO3JBOw9dItFKx8NL8zZm/Z76zHJa6jmnqeUpHhneCA="
