package org.ibidem.filter.fragment;

/// The options of the `fragment` filter.
///
/// @param size most bytes of payload in one frame
public record Fragment(int size) {
    private static final int DEFAULT = 8 << 10;
    private static final int SMALLEST = 128;
    private static final int LARGEST = 1 << 30;

    /// The defaults: frames of 8 KiB.
    public Fragment() {
        this(DEFAULT);
    }

    /// Checks the size.
    public Fragment {
        if (size < SMALLEST || size > LARGEST) {
            throw new IllegalArgumentException("size is 128 to 1G bytes, not " + size);
        }
    }
}
