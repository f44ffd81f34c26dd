/** Puts files that the compiler does not handle beside the compiled ones. */
