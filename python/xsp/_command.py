"""The command `xsp` of the package: the program itself, in this Python's environment."""
from __future__ import annotations

import os
import sys

from xsp._errors import XspError
from xsp._program import environment, program


def main() -> int:
    """Becomes the program, with the arguments of the command line."""
    try:
        path = program()
        os.execve(path, ["xsp", *sys.argv[1:]], environment())
    except XspError as error:
        print(f"error: {error.message}\nhint: {error.hint}", file=sys.stderr)
        return error.status
    except OSError as error:
        print(f"error: cannot start the program xsp: {error}\n"
              "hint: The wheel names the glibc that it needs (manylinux_2_NN); `ldd --version` shows this machine's.", file=sys.stderr)
        return 5


if __name__ == "__main__":
    sys.exit(main())
