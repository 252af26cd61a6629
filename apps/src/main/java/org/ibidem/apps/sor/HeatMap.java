package org.ibidem.apps.sor;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.ibidem.apps.view.Palette;
import org.ibidem.config.WholeFile;

/// A field of temperatures as an image: one byte for each cell, in the colours of [Palette].
final class HeatMap {
    private final int size;
    private final BufferedImage image;
    private final byte[] pixels;

    /// An image of `size` × `size` cells, all cold.
    HeatMap(int size) {
        this.size = size;
        this.image = Palette.image(size, size);
        this.pixels = ((DataBufferByte) image.getRaster().getDataBuffer()).getData();
    }

    /// Paints a row from the temperatures that begin at `from`; what is below 0 or above 1 is
    /// painted as that.
    void paint(int row, double[] temperatures, int from) {
        for (int column = 0; column < size; column++) {
            pixels[row * size + column] = Palette.shade(temperatures[from + column]);
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
