#!/usr/bin/env bash
# Whether what this worker needs is here: exits with 0, or with 4 and a line that says what is
# missing. Looks where CMakeLists.txt looks.
torch_dir=${XSP_TORCH_DIR:-}
if [ -z "$torch_dir" ]; then
  torch_dir=$("${XSP_PYTHON:-python3}" -c \
    "import importlib.util as u, os; print(os.path.dirname(u.find_spec('torch').origin))" 2>/dev/null)
fi
[ -f "$torch_dir/include/torch/script.h" ] && exit 0
echo "no PyTorch found: the torch worker is left out; tools/setup installs one" >&2
exit 4
