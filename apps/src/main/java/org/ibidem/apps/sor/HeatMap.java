package org.ibidem.apps.sor;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.ibidem.config.WholeFile;

/// A field of temperatures as an image: one byte for each cell, from black over violet and orange
/// to pale yellow.
///
/// The colours grow evenly brighter, so that the eye reads temperature from them, and so does a
/// grey print.
final class HeatMap {
    /// Red, green and blue at even distances from 0 to 1; between them they are mixed.
    private static final int[] COLOURS = {
        0x000004, 0x160b39, 0x420a68, 0x6a176e, 0x932667, 0xbc3754, 0xdd513a, 0xf37819, 0xfca50a,
        0xf6d746, 0xfcffa4
    };

    private final int size;
    private final BufferedImage image;
    private final byte[] pixels;

    /// An image of `size` × `size` cells, all cold.
    HeatMap(int size) {
        this.size = size;
        this.image = new BufferedImage(size, size, BufferedImage.TYPE_BYTE_INDEXED, palette());
        this.pixels = ((DataBufferByte) image.getRaster().getDataBuffer()).getData();
    }

    private static IndexColorModel palette() {
        var colours = new int[256];
        for (int i = 0; i < colours.length; i++) {
            colours[i] = colour(i / 255.0);
        }
        return new IndexColorModel(
                8, 256, colours, 0, false, -1, java.awt.image.DataBuffer.TYPE_BYTE);
    }

    private static int colour(double temperature) {
        double place = temperature * (COLOURS.length - 1);
        int below = Math.min((int) place, COLOURS.length - 2);
        int mixed = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            int low = COLOURS[below] >> shift & 255;
            int high = COLOURS[below + 1] >> shift & 255;
            mixed = mixed << 8 | (int) Math.round(low + (high - low) * (place - below));
        }
        return mixed;
    }

    /// Paints a row from the temperatures that begin at `from`; what is below 0 or above 1 is
    /// painted as that.
    void paint(int row, double[] temperatures, int from) {
        for (int column = 0; column < size; column++) {
            pixels[row * size + column] =
                    (byte) Math.clamp(Math.round(temperatures[from + column] * 255), 0, 255);
        }
    }

    /// The colour of a cell: red, green and blue.
    int rgb(int row, int column) {
        return image.getRGB(column, row) & 0xffffff;
    }

    /// Finds out before the work, not after it, whether an image can be written there.
    ///
    /// @throws BadProblem when it cannot
    static void requireFolder(Path file) {
        var folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(file)) {
            var why = Files.isDirectory(file) ? "it is a folder" : "there is no folder " + folder;
            throw new BadProblem(
                    "cannot write the image " + file + ": " + why + "; name another file");
        }
    }

    /// Writes a PNG: all of it, or nothing where the disk is full, say.
    ///
    /// @throws BadProblem when the file cannot be written
    void write(Path file) {
        try {
            var bytes = new ByteArrayOutputStream(); // ImageIO hides why a file took no more
            ImageIO.write(image, "png", bytes);
            WholeFile.write(file, bytes.toByteArray());
        } catch (IOException e) {
            throw new BadProblem(
                    "cannot write the image "
                            + file
                            + ": "
                            + e.getMessage()
                            + "; make room, or name another file",
                    e);
        }
    }
}
