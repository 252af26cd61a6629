package compute;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** The number e, from its series. */
public class Digits implements Task<BigDecimal>, Serializable {
    private static final long serialVersionUID = 1L;
    private final int digits;

    public Digits(int digits) {
        this.digits = digits;
    }

    public BigDecimal execute() {
        BigDecimal sum = BigDecimal.ONE;
        BigDecimal term = BigDecimal.ONE;
        for (int n = 1; n < 10 * digits; n++) {
            term = term.divide(BigDecimal.valueOf(n), digits + 5, RoundingMode.HALF_EVEN);
            sum = sum.add(term);
        }
        return sum.setScale(digits, RoundingMode.HALF_EVEN);
    }
}
