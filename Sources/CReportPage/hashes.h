// Made by Reports/HTML/hashes.py.

#define REPORT_STYLE_HASH "1Pt6Pa1S+vegJYlKQaKIHoLSRuxh1a2Uhm34LRCi/Wk="
#define REPORT_SCRIPT_HASH "fjU85MPHULPa9vCRAXXw5LuFl/4BxxbhNZ6Zm72V+G8="
