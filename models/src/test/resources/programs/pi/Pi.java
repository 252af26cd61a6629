package pi;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** 16 arctan(1/5) - 4 arctan(1/239). */
public class Pi implements Task<BigDecimal>, Serializable {
    private static final long serialVersionUID = 1L;
    private final int digits;

    public Pi(int digits) {
        this.digits = digits;
    }

    public BigDecimal execute() {
        int scale = digits + 5;
        BigDecimal sum =
                arctan(5, scale)
                        .multiply(BigDecimal.valueOf(16))
                        .subtract(arctan(239, scale).multiply(BigDecimal.valueOf(4)));
        return sum.setScale(digits, RoundingMode.HALF_UP);
    }

    private static BigDecimal arctan(int inverse, int scale) {
        BigDecimal square = BigDecimal.valueOf((long) inverse * inverse);
        BigDecimal power =
                BigDecimal.ONE.divide(BigDecimal.valueOf(inverse), scale, RoundingMode.HALF_EVEN);
        BigDecimal sum = power;
        for (int n = 3; power.signum() != 0; n += 2) {
            power = power.divide(square, scale, RoundingMode.HALF_EVEN);
            BigDecimal term = power.divide(BigDecimal.valueOf(n), scale, RoundingMode.HALF_EVEN);
            sum = n % 4 == 3 ? sum.subtract(term) : sum.add(term);
        }
        return sum;
    }
}
