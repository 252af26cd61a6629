package org.ibidem.link.tcp;

/// The options of the `tcp` driver.
///
/// @param send bytes of the kernel's send buffer; 0 leaves it to the kernel
/// @param receive bytes of the kernel's receive buffer; 0 leaves it to the kernel
public record Tcp(int send, int receive) {
    private static final int LARGEST = 1 << 30;

    /// The defaults: the kernel sizes its buffers as it learns the path.
    public Tcp() {
        this(0, 0);
    }

    /// Checks the sizes.
    public Tcp {
        if (send < 0 || send > LARGEST || receive < 0 || receive > LARGEST) {
            throw new IllegalArgumentException("socket buffers have 0 to 1G bytes");
        }
    }
}
