package mpi;

import java.util.Arrays;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.data.Kind;
import org.ibidem.mpj.data.Part;
import org.ibidem.mpj.data.Shape;
import org.jspecify.annotations.Nullable;

/// How the elements of a message lie in an array. All distances count elements of the basic type,
/// and all parts of a datatype have one basic type.
public class Datatype {
    private static final String DISPLACEMENTS = "array of displacements";

    /// The number of its basic type, which is not to be changed.
    public int baseType;

    private final Shape shape;
    private final boolean basic;
    private volatile boolean committed;
    private volatile boolean freed;

    Datatype(Shape shape, boolean basic) {
        this.shape = shape;
        this.basic = basic;
        this.committed = basic;
        this.baseType = shape.kind().code();
    }

    static Datatype basic(Kind kind) {
        return new Datatype(Shape.of(kind, 1), true);
    }

    static Datatype pair(Kind kind) {
        return new Datatype(Shape.of(kind, 2), true);
    }

    Shape shape() {
        return shape;
    }

    /// Refuses one that cannot be used in a message.
    static Datatype checked(@Nullable Datatype type) {
        Datatype known = known(type);
        Fault.unless(
                known.committed,
                ErrorClass.TYPE,
                "the datatype is not committed: call its Commit first");
        Fault.unless(
                known.shape.kind() != Kind.NONE || !known.basic,
                ErrorClass.TYPE,
                "NULL, LB and UB are no datatypes of messages");
        return known;
    }

    /// Refuses one that cannot be part of another.
    private static Datatype known(@Nullable Datatype type) {
        if (type == null || type.freed) {
            throw new Fault(
                    ErrorClass.TYPE, "the datatype is " + (type == null ? "null" : "freed"));
        }
        return type;
    }

    /// Elements of an array, in this layout.
    static Part part(@Nullable Object buffer, int offset, int count, @Nullable Datatype type) {
        return Part.of(buffer, offset, count, checked(type).shape);
    }

    /// The number of its basic type.
    public int getType() {
        return shape.kind().code();
    }

    /// Bytes that one of it takes on the way, of objects as if each took one; [MPI#UNDEFINED] where
    /// these are 2 GiB and more.
    public int getByteSize() {
        long size = byteSize();
        return size == (int) size ? (int) size : MPI.UNDEFINED;
    }

    /// The same, however many.
    long byteSize() {
        return (long) shape.size() * shape.kind().size();
    }

    /// The distance, in elements, of two of it that follow each other.
    public int Extent() {
        return shape.extent();
    }

    /// How many elements it has.
    public int Size() {
        return shape.size();
    }

    /// Where it begins, in elements from where it is put.
    public int Lb() {
        return shape.lower();
    }

    /// Where it ends, in elements from where it is put.
    public int Ub() {
        return shape.upper();
    }

    /// From now on it may be used in messages.
    public void Commit() {
        guarded(() -> {
            known(this);
            committed = true;
            return this;
        });
    }

    /// It is used no more. What was made of it stays.
    public void free() {
        guarded(() -> {
            Fault.unless(!basic, ErrorClass.TYPE, "a basic datatype cannot be freed");
            known(this);
            freed = true;
            return this;
        });
    }

    /// As [#free].
    public void Free() {
        free();
    }

    /// Nothing: memory frees itself.
    @Override
    @SuppressWarnings({"removal", "Finalize"}) // part of the API
    public void finalize() {}

    /// As many of a datatype, one behind the other.
    public static Datatype Contiguous(int count, Datatype oldtype) {
        return guarded(() -> {
            Fault.unless(count >= 0, ErrorClass.COUNT, "a count of " + count);
            return derived(Shape.contiguous(count, known(oldtype).shape));
        });
    }

    /// Blocks at equal distances.
    ///
    /// @param stride in extents of the old datatype
    public static Datatype Vector(int count, int blocklength, int stride, Datatype oldtype) {
        return guarded(() -> {
            Shape old = known(oldtype).shape;
            int distance = multiplied(stride, old.extent());
            return derived(vector(count, blocklength, distance, old));
        });
    }

    /// Blocks at equal distances.
    ///
    /// @param stride in elements of the basic type
    public static Datatype Hvector(int count, int blocklength, int stride, Datatype oldtype) {
        return guarded(() -> derived(vector(count, blocklength, stride, known(oldtype).shape)));
    }

    private static Shape vector(int count, int blocklength, int distance, Shape old) {
        Fault.unless(count >= 0, ErrorClass.COUNT, "a count of " + count);
        return Shape.vector(count, blocklength, distance, old);
    }

    /// Blocks anywhere.
    ///
    /// @param displacements in extents of the old datatype
    public static Datatype Indexed(int[] blocklengths, int[] displacements, Datatype oldtype) {
        return guarded(() -> {
            int extent = known(oldtype).shape.extent();
            int[] distances = new int[Fault.given(displacements, DISPLACEMENTS).length];
            for (int i = 0; i < distances.length; i++) {
                distances[i] = multiplied(displacements[i], extent);
            }
            return derived(indexed(blocklengths, distances, oldtype));
        });
    }

    /// Blocks anywhere.
    ///
    /// @param displacements in elements of the basic type
    public static Datatype Hindexed(int[] blocklengths, int[] displacements, Datatype oldtype) {
        return guarded(() -> derived(indexed(blocklengths, displacements, known(oldtype))));
    }

    private static Shape indexed(int[] blocklengths, int[] distances, Datatype oldtype) {
        Datatype[] types = new Datatype[Fault.given(distances, DISPLACEMENTS).length];
        Arrays.fill(types, oldtype);
        return struct(blocklengths, distances, types);
    }

    /// Blocks of several datatypes anywhere, all of one basic type. [MPI#LB] and [MPI#UB] set the
    /// bounds.
    ///
    /// @param displacements in elements of the basic type
    public static Datatype Struct(int[] blocklengths, int[] displacements, Datatype[] oldtypes) {
        return guarded(() -> derived(struct(blocklengths, displacements, oldtypes)));
    }

    private static Shape struct(int[] blocklengths, int[] distances, Datatype[] types) {
        Fault.given(blocklengths, "array of block lengths");
        Fault.given(distances, DISPLACEMENTS);
        Fault.given(types, "array of datatypes");
        Fault.unless(
                blocklengths.length == distances.length && types.length == distances.length,
                ErrorClass.ARG,
                blocklengths.length
                        + " block lengths, "
                        + distances.length
                        + " displacements and "
                        + types.length
                        + " datatypes do not go together");
        Shape[] shapes = new Shape[types.length];
        for (int i = 0; i < types.length; i++) {
            shapes[i] = known(types[i]).shape;
        }
        return Shape.struct(blocklengths, distances, shapes);
    }

    private static Datatype derived(Shape shape) {
        return new Datatype(shape, false);
    }

    private static int multiplied(int a, int b) {
        long product = (long) a * b;
        Fault.unless(
                product == (int) product,
                ErrorClass.ARG,
                "a datatype that spans more elements than an array can have");
        return (int) product;
    }

    /// What is done.
    private interface Making {
        Datatype make();
    }

    /// As an error of a call that belongs to no communicator.
    private static Datatype guarded(Making making) {
        try {
            return making.make();
        } catch (Fault e) {
            throw World.failure("Datatype", e);
        }
    }
}
