package org.ibidem.apps.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MatrixTest {
    private final Square one = Square.random(64, 3);
    private final Square other = Square.random(64, 4);

    @Test
    void quarters_give_what_three_loops_give() {
        assertThat(new Matrix(8).product(one, other).cells()).isEqualTo(one.times(other).cells());
    }

    @Test
    void a_product_that_is_wrong_in_one_place_is_found() {
        var product = one.times(other);
        assertThat(Matrix.isProduct(product, one, other)).isTrue();
        product.cells()[1000]++;
        assertThat(Matrix.isProduct(product, one, other)).isFalse();
    }
}
