// Written by hashes.py.

#define REPORT_STYLE_HASH "hv6lj3AuFHJY+/9hVSq/OGbsnGPwp8d8hzOqttUK/rA="
#define REPORT_SCRIPT_HASH "BO3JBOw9dItFKx8NL8zZm/Z76zHJa6jmnqeUpHhneCA="
