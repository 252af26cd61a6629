import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import mpi.MPI;

/**
 * The loops of the benchmark in Java over MPJ Express: two ranks, led as those of mpi.c are. The sender rewrites the payload before
 * every message and the receiver sums it up, as all contestants do. Compiled and run by MpjExpress.
 */
public final class Mpj {
    private static final int LINE = 64;
    private static final int TAG = 1;

    private final int other;
    private char kind;
    private int length;
    private int parts;
    private mpi.Datatype vector;
    private final long[] word = new long[1];
    private byte[] bytes;
    private int[] ints;
    private double[] doubles;

    private Mpj(int other) {
        this.other = other;
    }

    private void has(char payload, int size, int parts) throws Exception {
        kind = payload;
        this.parts = parts;
        length = payload == 'i' ? size / 4 : payload == 'd' ? size / 8 : size;
        bytes = payload == 'b' ? new byte[length] : bytes;
        ints = payload == 'i' ? new int[length] : ints;
        doubles = payload == 'd' ? new double[length * parts] : doubles;
        if (payload == 'd' && parts > 1 && vector == null) {
            vector = mpi.Datatype.Vector(length, 1, parts, MPI.DOUBLE);
            vector.Commit();
        }
    }

    private void rewrite(int number) {
        switch (kind) {
            case 'w': word[0] = number; break;
            case 'b': Arrays.fill(bytes, (byte) number); break;
            case 'i': Arrays.fill(ints, number); break;
            default: Arrays.fill(doubles, number);
        }
    }

    private void verify(int number) {
        long wanted;
        long sum = 0;
        switch (kind) {
            case 'w':
                wanted = number;
                sum = word[0];
                break;
            case 'b':
                for (int i = 0; i < length; i += LINE) {
                    sum += bytes[i];
                }
                wanted = (byte) number * ((length + LINE - 1L) / LINE);
                break;
            case 'i':
                int part = 0;
                for (int element : ints) {
                    part += element;
                }
                sum = part;
                wanted = number * length;
                break;
            default:
                double a = 0;
                double b = 0;
                double c = 0;
                double d = 0;
                for (int i = 0; i < doubles.length; i += 4 * parts) {
                    a += doubles[i];
                    b += doubles[i + parts];
                    c += doubles[i + 2 * parts];
                    d += doubles[i + 3 * parts];
                }
                sum = (long) (a + b + c + d);
                wanted = (long) number * length;
        }
        if (sum != wanted) {
            throw new IllegalStateException("message " + number + ": its sum is " + sum + " and should be " + wanted);
        }
    }

    private void window(boolean receives) throws Exception {
        mpi.Request[] requests = new mpi.Request[parts];
        int size = length / parts;
        for (int i = 0; i < parts; i++) {
            requests[i] =
                    receives
                            ? MPI.COMM_WORLD.Irecv(bytes, i * size, size, MPI.BYTE, other, TAG)
                            : MPI.COMM_WORLD.Isend(bytes, i * size, size, MPI.BYTE, other, TAG);
        }
        mpi.Request.Waitall(requests);
    }

    private void put() throws Exception {
        if (parts > 1) {
            if (kind == 'b') {
                window(false);
            } else {
                MPI.COMM_WORLD.Send(doubles, 0, 1, vector, other, TAG);
            }
            return;
        }
        switch (kind) {
            case 'w': MPI.COMM_WORLD.Send(word, 0, 1, MPI.LONG, other, TAG); break;
            case 'b': MPI.COMM_WORLD.Send(bytes, 0, length, MPI.BYTE, other, TAG); break;
            case 'i': MPI.COMM_WORLD.Send(ints, 0, length, MPI.INT, other, TAG); break;
            default: MPI.COMM_WORLD.Send(doubles, 0, length, MPI.DOUBLE, other, TAG);
        }
    }

    private void get() throws Exception {
        if (parts > 1) {
            if (kind == 'b') {
                window(true);
            } else {
                MPI.COMM_WORLD.Recv(doubles, 0, 1, vector, other, TAG);
            }
            return;
        }
        switch (kind) {
            case 'w': MPI.COMM_WORLD.Recv(word, 0, 1, MPI.LONG, other, TAG); break;
            case 'b': MPI.COMM_WORLD.Recv(bytes, 0, length, MPI.BYTE, other, TAG); break;
            case 'i': MPI.COMM_WORLD.Recv(ints, 0, length, MPI.INT, other, TAG); break;
            default: MPI.COMM_WORLD.Recv(doubles, 0, length, MPI.DOUBLE, other, TAG);
        }
    }

    private void lead(boolean back, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            rewrite(i);
            put();
            if (back) {
                get();
                verify(i);
            }
        }
        if (!back) {
            MPI.COMM_WORLD.Recv(word, 0, 1, MPI.LONG, other, TAG);
            if (word[0] != times) {
                throw new IllegalStateException("a wrong acknowledgement");
            }
        }
    }

    private void follow(boolean back, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            get();
            verify(i);
            if (back) {
                put();
            }
        }
        if (!back) {
            word[0] = times;
            MPI.COMM_WORLD.Send(word, 0, 1, MPI.LONG, other, TAG);
        }
    }

    public static void main(String[] args) throws Exception {
        String[] ports = MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        Mpj mine = new Mpj(1 - rank);
        try (Socket master =
                new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(ports[ports.length - 2 + rank]))) {
            BufferedReader in = new BufferedReader(new InputStreamReader(master.getInputStream()));
            PrintStream out = new PrintStream(master.getOutputStream(), true);
            in.readLine(); // the core, which whoever started this process has chosen
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                mine.has(words[1].charAt(0), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
                boolean back = words[0].equals("0");
                long[] nanos = new long[Integer.parseInt(words[4])];
                for (int i = 0; i < nanos.length; i++) {
                    long before = System.nanoTime();
                    if (rank == 0) {
                        mine.lead(back, Integer.parseInt(words[5]));
                    } else {
                        mine.follow(back, Integer.parseInt(words[5]));
                    }
                    nanos[i] = System.nanoTime() - before;
                }
                if (rank == 0) {
                    StringBuilder answer = new StringBuilder();
                    for (long each : nanos) {
                        answer.append(each).append('\n');
                    }
                    out.print(answer);
                    out.flush();
                } else {
                    out.println(0);
                }
            }
        }
        MPI.Finalize();
    }
}
