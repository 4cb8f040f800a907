"""Games that other programs wrote, one package for each."""
