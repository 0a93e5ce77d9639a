# Read after project("llama.cpp"). The server needs no command line, no templates and no downloads of llama.cpp, which are half of its build.
set(LLAMA_BUILD_COMMON OFF)
