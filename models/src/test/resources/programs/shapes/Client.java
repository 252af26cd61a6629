package shapes;

import java.math.BigInteger;
import java.rmi.MarshalException;
import java.rmi.registry.LocateRegistry;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

public class Client {
    static class Circle extends Shape {
        private static final long serialVersionUID = 1L;
        private final double radius;

        Circle(double radius) {
            this.radius = radius;
        }

        public double area() {
            return Math.PI * radius * radius;
        }

        @Override
        public String toString() {
            return "circle " + radius;
        }
    }

    enum Colour {
        RED,
        GREEN {
            @Override
            boolean isQuiet() {
                return true;
            }
        };

        boolean isQuiet() {
            return false;
        }
    }

    record Corner(int x, int y, Colour colour) implements java.io.Serializable {}

    static class Odd {}

    public static void main(String[] args) throws Exception {
        Surveyor surveyor =
                (Surveyor) LocateRegistry.getRegistry(args[0]).lookup("surveyor");
        Shape square =
                new Shape() {
                    private static final long serialVersionUID = 1L;

                    public double area() {
                        return 4;
                    }
                };
        System.out.printf("%.4f%n", surveyor.total(List.of(square, new Circle(1))));
        System.out.println(surveyor.largest(square, new Circle(1), new Circle(1.5)));
        Object[] all = {
            Colour.GREEN, new Corner(3, 4, Colour.RED), LocalDate.of(2005, 2, 28), new int[][] {{1}, {2, 3}},
            BigInteger.TEN.pow(30), Map.of("k", List.of(1L, 2.5f, 'c')), new Object[] {"s", null}
        };
        for (Object each : all) {
            Object back = surveyor.echo(each);
            System.out.println(Arrays.deepEquals(new Object[] {each}, new Object[] {back}));
        }
        System.out.println(surveyor.echo(Colour.GREEN) == Colour.GREEN);
        System.out.println(surveyor.described(new Corner(1, 2, Colour.GREEN)));
        try {
            surveyor.echo(new Odd());
        } catch (MarshalException e) {
            System.out.println(e.getClass().getName() + ": " + e.getCause().getClass().getName());
        }
    }
}
