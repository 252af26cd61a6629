package org.ibidem.apps.sor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// From a picture to the plate, and from the field to an image.
class PictureTest {
    @TempDir Path folder;

    private static BufferedImage image(int width, int height, int rgb) {
        var image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                image.setRGB(x, y, rgb);
            }
        }
        return image;
    }

    @Test
    void the_middle_square_is_cut_out_and_averaged() {
        var image = image(40, 20, 0x000000);
        for (int y = 0; y < 20; y++) {
            for (int x = 10; x < 20; x++) {
                image.setRGB(x, y, 0xffffff);
            }
        }
        var picture = Picture.of(image, 4);

        assertThat(picture.side()).isEqualTo(4);
        assertThat(picture.at(0, 0)).isCloseTo(1, within(1e-6));
        assertThat(picture.at(3, 1)).isCloseTo(1, within(1e-6));
        assertThat(picture.at(0, 2)).isEqualTo(0);
        assertThat(picture.between(2, 2)).isCloseTo(0.5, within(1e-6));
        assertThat(picture.between(2, 0)).isCloseTo(1, within(1e-6));
        assertThat(Picture.of(image, 8192).side()).isEqualTo(20);
    }

    @Test
    void the_border_and_a_few_percent_of_the_picture_are_kept() {
        var anchors = Anchors.choose(Picture.standard(512), 0.05);

        assertThat(anchors.count()).isBetween(512 * 512 * 5 / 100, 512 * 512 * 65 / 1000);
        assertThat(anchors.keeps(0, 17)).isTrue();
        assertThat(anchors.keeps(511, 17)).isTrue();
        assertThat(anchors.keeps(17, 0)).isTrue();
        assertThat(anchors.keeps(17, 511)).isTrue();
        assertThat(anchors.widestHole()).isBetween(10, 100);
    }

    @Test
    void an_edge_is_kept_and_an_even_field_is_not() {
        var image = image(64, 64, 0x000000);
        for (int y = 0; y < 64; y++) {
            for (int x = 40; x < 64; x++) {
                image.setRGB(x, y, 0xffffff);
            }
        }
        var anchors = Anchors.choose(Picture.of(image, 64), 0.05);
        int atEdge = 0;
        int elsewhere = 0;
        for (int row = 1; row < 63; row++) {
            for (int column = 1; column < 63; column++) {
                if (anchors.keeps(row, column)) {
                    if (column >= 38 && column <= 41) {
                        atEdge++;
                    } else {
                        elsewhere++;
                    }
                }
            }
        }
        assertThat(atEdge).isGreaterThan(100);
        assertThat(elsewhere).isLessThan(atEdge / 4);
    }

    @Test
    void the_field_looks_like_the_picture() {
        int size = 256;
        var plate = new Plate(size, Picture.standard(size));
        var field = Sequential.solve(plate, 400);
        double wrong = 0;
        for (int row = 0; row < size; row++) {
            for (int column = 0; column < size; column++) {
                wrong +=
                        Math.abs(
                                field.cells()[field.base(row) + column]
                                        - plate.temperature(row, column));
            }
        }
        assertThat(wrong / size / size).isLessThan(0.06);
    }

    @Test
    void an_image_gets_brighter_with_the_temperature_and_survives_being_written() throws Exception {
        var map = new HeatMap(16);
        var row = new double[16];
        for (int i = 0; i < 16; i++) {
            row[i] = i / 15.0;
        }
        map.paint(5, row, 0);
        map.paint(6, new double[] {-3, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 0);
        var file = folder.resolve("field.png");
        map.write(file);

        var read = ImageIO.read(file.toFile());
        double before = -1;
        for (int i = 0; i < 16; i++) {
            int rgb = read.getRGB(i, 5) & 0xffffff;
            assertThat(rgb).isEqualTo(map.rgb(5, i));
            double light = 0.299 * (rgb >> 16) + 0.587 * (rgb >> 8 & 255) + 0.114 * (rgb & 255);
            assertThat(light).isGreaterThan(before);
            before = light;
        }
        assertThat(map.rgb(6, 0)).isEqualTo(map.rgb(5, 0)).isEqualTo(0x000004);
        assertThat(map.rgb(6, 1)).isEqualTo(map.rgb(5, 15)).isEqualTo(0xfcffa4);
    }

    @Test
    void what_is_no_picture_is_refused_with_its_name() throws Exception {
        var file = Files.writeString(folder.resolve("notes.png"), "no picture at all");

        assertThatThrownBy(() -> Picture.read(file, 100))
                .isInstanceOf(BadProblem.class)
                .hasMessageContaining("notes.png")
                .hasMessageContaining("PNG");
        assertThatThrownBy(() -> Picture.read(folder.resolve("none.png"), 100))
                .isInstanceOf(BadProblem.class)
                .hasMessageContaining("none.png");
        assertThatThrownBy(() -> new HeatMap(8).write(folder.resolve("no/such/folder.png")))
                .isInstanceOf(BadProblem.class)
                .hasMessageContaining("folder.png");
    }

    /// How a full disk is met: WholeFileTest.
    @Test
    void an_image_that_cannot_be_written_says_why_and_what_to_do() {
        var file = Path.of("/proc/heat.png");
        assumeTrue(Files.isDirectory(file.getParent()), "there is no /proc");
        var heat = new HeatMap(8);
        assertThatThrownBy(() -> heat.write(file))
                .isInstanceOf(BadProblem.class)
                .hasMessageStartingWith("cannot write the image " + file + ": ")
                .hasMessageEndingWith("make room, or name another file");
    }
}
