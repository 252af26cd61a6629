package ticker;

import java.io.Serializable;

public class Quote implements Serializable {
    private static final long serialVersionUID = 1L;
    public final String symbol;
    public final double price;
    public final transient String source;

    public Quote(String symbol, double price, String source) {
        this.symbol = symbol;
        this.price = price;
        this.source = source;
    }

    @Override
    public String toString() {
        return symbol + " " + price + " from " + source;
    }
}
