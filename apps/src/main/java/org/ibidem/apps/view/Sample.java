package org.ibidem.apps.view;

import java.io.Serializable;

/// What one process shows: some rows of a square picture, one byte for each pixel.
///
/// @param side pixels in a row of the whole picture, and rows; 1 to [#MOST]
/// @param top the first row that is here
/// @param step after which step it was so, from 0
/// @param steps how many there will be
/// @param last whether it stays so
/// @param pixels the rows, one after the other
public record Sample(int side, int top, int step, int steps, boolean last, byte[] pixels)
        implements Serializable {
    private static final long serialVersionUID = 1L;

    /// Pixels in a row at most.
    public static final int MOST = 512;

    /// Checks it: it may come from anybody.
    ///
    /// @throws IllegalArgumentException when the rows are not within the picture
    public Sample {
        if (side < 1 || side > MOST) {
            throw new IllegalArgumentException(side + " pixels in a row, not 1 to " + MOST);
        }
        if (pixels.length % side != 0 || top < 0 || top > side - pixels.length / side) {
            throw new IllegalArgumentException(
                    pixels.length
                            + " pixels from row "
                            + top
                            + " on are no rows of a picture of "
                            + side
                            + " rows");
        }
    }
}
