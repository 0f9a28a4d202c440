"""pure-ldp: symmetric unary encoding of four values."""

from pure_ldp.frequency_oracles.unary_encoding import UEClient


def unary_encoding(number, side):
    """Return the bits of the values 1 and 2, as one number: 1 for the first, 2 for the second."""
    client = UEClient(epsilon=1.0, d=4, index_mapper=int)
    sent = (client.privatise(1 + side) for _ in range(number))
    return [int(bits[1]) + 2 * int(bits[2]) for bits in sent]
