package org.ibidem.apps.integrate;

import ibis.satin.SatinObject;
import org.ibidem.apps.Numbers;

/// Argument: the error that is allowed (1e-9).
public final class Integrate extends SatinObject implements IntegrateInterface {
    private static final long serialVersionUID = 1;

    /// Poles beside the axis, so that most of the work is near them.
    private static final int POLES = 20;

    private static final double STEEP = 1e-4;

    private static double pole(int number) {
        return (double) number * number / POLES / POLES;
    }

    private static double curve(double x) {
        double height = 0;
        for (int i = 0; i < POLES; i++) {
            double apart = x - pole(i);
            height += 1 / (apart * apart + STEEP * STEEP);
        }
        return height;
    }

    /// The area under the curve from 0.
    private static double known(double to) {
        double area = 0;
        for (int i = 0; i < POLES; i++) {
            area += (Math.atan((to - pole(i)) / STEEP) + Math.atan(pole(i) / STEEP)) / STEEP;
        }
        return area;
    }

    private static double simpson(double from, double to) {
        return (to - from) / 6 * (curve(from) + 4 * curve((from + to) / 2) + curve(to));
    }

    @Override
    public double area(double from, double to, double rough, double error) {
        double middle = (from + to) / 2;
        double left = simpson(from, middle);
        double right = simpson(middle, to);
        if (Math.abs(left + right - rough) <= 15 * error || middle <= from || to <= middle) {
            return left + right + (left + right - rough) / 15;
        }
        double one = area(from, middle, left, error / 2);
        double other = area(middle, to, right, error / 2);
        sync();
        return one + other;
    }

    /// Prints the area, and whether it is near enough.
    public static void main(String[] arguments) {
        var numbers = new Numbers("integrate [ERROR]", arguments);
        double error = numbers.positive(0, 1e-9);
        double found = new Integrate().area(0, 1, simpson(0, 1), error);
        boolean near = Math.abs(found - known(1)) <= Math.max(100 * error, 1e-6);
        System.out.println("the area is " + found + (near ? ", right" : ", WRONG"));
    }
}
