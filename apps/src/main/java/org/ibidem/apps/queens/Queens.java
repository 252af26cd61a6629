package org.ibidem.apps.queens;

import ibis.satin.SatinObject;
import org.ibidem.apps.Numbers;

/// Arguments: n (12), up to which row calls are spawned (4).
public final class Queens extends SatinObject implements QueensInterface {
    private static final long serialVersionUID = 1;
    private static final long[] KNOWN = {
        1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512
    };

    @Override
    public long solutions(byte[] board, int row, int deep) {
        if (row == board.length) {
            return 1;
        }
        return row < deep ? spawned(board, row, deep) : counted(board, row);
    }

    private long spawned(byte[] board, int row, int deep) {
        var found = new long[board.length];
        for (byte column = 0; column < board.length; column++) {
            if (isFree(board, row, column)) {
                var next = board.clone();
                next[row] = column;
                found[column] = solutions(next, row + 1, deep);
            }
        }
        sync();
        long all = 0;
        for (long some : found) {
            all += some;
        }
        return all;
    }

    private static long counted(byte[] board, int row) {
        if (row == board.length) {
            return 1;
        }
        long all = 0;
        for (byte column = 0; column < board.length; column++) {
            if (isFree(board, row, column)) {
                board[row] = column;
                all += counted(board, row + 1);
            }
        }
        return all;
    }

    private static boolean isFree(byte[] board, int row, int column) {
        for (int above = 0; above < row; above++) {
            int apart = Math.abs(board[above] - column);
            if (apart == 0 || apart == row - above) {
                return false;
            }
        }
        return true;
    }

    /// Prints the number, and whether it is right.
    public static void main(String[] arguments) {
        var numbers = new Numbers("queens [N [DEPTH]]", arguments);
        int n = numbers.whole(0, 12, 1, 24);
        int deep = numbers.whole(1, 4, 0, 24);
        long found = new Queens().solutions(new byte[n], 0, deep);
        var verdict = n >= KNOWN.length ? "" : found == KNOWN[n] ? ", right" : ", WRONG";
        System.out.println(n + " queens stand in " + found + " ways" + verdict);
    }
}
