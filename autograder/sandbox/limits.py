"""The limits of a submission: plain data, which travels to other processes and machines."""

from dataclasses import dataclass

FOLDER = "/submission"  # where a contained process finds the submission's files
SCRATCH = "/tmp"  # where it may write too: also HOME


@dataclass(frozen=True)
class Limits:
    """The limits of a student's code. Sizes are in units of 2**20 bytes.

    Attributes:
      contained: whether it is kept from all files but its own, from other processes and from the
        network.
      memory_megabytes: what one of its processes may take on top of the libraries, > 0.
      seconds: how long the cells of a notebook may run together, > 0.
      output_megabytes: how much the cells of a notebook may show together, > 0.
      processes: how many processes and threads it may have at a time, > 1.
      file_megabytes: what it may write, in one file and in all together, > 0.
      readable: files and folders that it may read, beside Python and the libraries.
      hidden: folders that are empty for it, also where what it may read holds them.
    """

    contained: bool = True
    memory_megabytes: int = 2048
    seconds: float = 600
    output_megabytes: float = 10
    processes: int = 64
    file_megabytes: int = 100
    readable: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
