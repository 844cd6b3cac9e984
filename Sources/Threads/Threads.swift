// Threads: work on new threads, or on the calling thread where the system gives none. Foundation and the concurrency runtime are not needed for it.
//
//     Worker.perform(files.count) { read(files[$0]) }               // returns when all are read
//
//     let worker = Worker { decode() }                              // nil where there is no thread: then do it here
//     worker?.join()
//
// Read first: `Worker` (a thread, or several for one job), `ThreadCondition` (a lock whose holder can wait for a change), and `Worker.cores` (how
// many threads are worthwhile; `BTSCRIBE_THREADS` sets it).
