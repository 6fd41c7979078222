#ifndef XSP_WORKERS_TESTS_WARM_PYTHON_H_
#define XSP_WORKERS_TESTS_WARM_PYTHON_H_

#include <string>
#include <vector>

namespace xsp::workers_test {

/// Runs the script `argv[0]` to its end, five minutes at most; whether it succeeded. What it prints
/// is dropped. It runs in a fork of one `python` of this test program, which has imported `modules`
/// of the first script that it ran (tests/warm_python.py). One thread at a time.
bool RunsScript(const std::string& python, const std::vector<std::string>& modules,
                const std::vector<std::string>& argv);

}  // namespace xsp::workers_test

#endif  // XSP_WORKERS_TESTS_WARM_PYTHON_H_
