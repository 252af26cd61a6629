package cursor;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.util.NoSuchElementException;

public class Client {
    public static void main(String[] args) throws Exception {
        Table table = (Table) LocateRegistry.getRegistry(args[0]).lookup("table");
        for (int i = 0; i < 3; i++) {
            read(table, 100 * i, 100 * i + 17 + i);
        }
        while (table.closed() < 3) {
            System.gc(); // until the server has heard that nobody has them
            Thread.sleep(20);
        }
        System.out.println(table.closed() + " closed");
    }

    private static void read(Table table, int from, int to) throws RemoteException {
        Rows rows = table.select(from, to);
        int count = 0;
        int pieces = 0;
        String last = "";
        while (rows.hasNext()) {
            String[] piece = rows.next(5);
            count += piece.length;
            last = piece[piece.length - 1];
            pieces++;
        }
        System.out.println(count + " rows in " + pieces + " pieces, last " + last);
        try {
            rows.next(1);
        } catch (NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
    }
}
