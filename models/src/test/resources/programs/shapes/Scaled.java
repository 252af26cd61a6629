package shapes;

class Scaled extends Shape {
    private static final long serialVersionUID = 1L;
    private final Shape shape;
    private final double by;

    Scaled(Shape shape, double by) {
        this.shape = shape;
        this.by = by;
    }

    public double area() {
        return shape.area() * by * by;
    }

    @Override
    public String toString() {
        return shape + " times " + by;
    }
}
