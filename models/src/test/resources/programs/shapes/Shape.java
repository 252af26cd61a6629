package shapes;

import java.io.Serializable;

public abstract class Shape implements Serializable {
    private static final long serialVersionUID = 1L;

    public abstract double area();

    public Shape scaled(double by) {
        return new Scaled(this, by);
    }
}
