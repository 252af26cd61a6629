import java.io.IOException;
import java.io.Serializable;
import java.rmi.MarshalledObject;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.function.Supplier;

interface Job<T> extends Serializable {
    T run();
}

interface Carries extends Remote {
    <T> T run(Job<T> job) throws RemoteException;

    Object get(Object supplier) throws RemoteException;

    Job<String> job(String text) throws RemoteException;

    <T> T unpack(MarshalledObject<T> packed) throws RemoteException;

    MarshalledObject<Object> pack(Object object) throws RemoteException;
}

/** A compute engine that is given lambdas and marshalled objects. */
public class Carried implements Carries {
    static class Parcel implements Serializable {
        int weight = 3;
    }

    public <T> T run(Job<T> job) {
        return job.run();
    }

    public Object get(Object supplier) {
        return ((Supplier<?>) supplier).get();
    }

    public Job<String> job(String text) {
        return () -> text + " is carried back";
    }

    public <T> T unpack(MarshalledObject<T> packed) {
        try {
            return packed.get();
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalArgumentException(e);
        }
    }

    public MarshalledObject<Object> pack(Object object) {
        try {
            return new MarshalledObject<>(object);
        } catch (IOException e) {
            throw new IllegalArgumentException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Carried mine = new Carried();
        Registry registry = LocateRegistry.createRegistry(Integer.parseInt(args[0]));
        registry.bind("carries", UnicastRemoteObject.exportObject(mine, 0));
        Carries carries = (Carries) registry.lookup("carries");

        int number = 41;
        Parcel parcel = new Parcel();
        System.out.println(carries.run(() -> number + 1));
        System.out.println(carries.run(() -> "weighs " + parcel.weight));
        System.out.println(carries.run(Parcel::new).weight);
        System.out.println(carries.get((Supplier<String> & Serializable) () -> "supplied"));
        System.out.println(carries.job("this").run());

        MarshalledObject<Parcel> packed = new MarshalledObject<>(parcel);
        parcel.weight = 4;
        System.out.println(packed.get().weight + " " + carries.unpack(packed).weight);
        System.out.println(((Parcel) carries.pack(parcel).get()).weight);
        System.out.println(packed.equals(new MarshalledObject<>(new Parcel())));
        System.out.println(packed.equals(new MarshalledObject<>(parcel)));
        System.out.println(new MarshalledObject<Parcel>(null).get());
        Carries back = (Carries) carries.pack(carries).get();
        System.out.println(back.equals(carries) + " " + back.run(() -> "a stub is unpacked"));
        System.out.println(carries.unpack(new MarshalledObject<>((Carries) mine)).equals(carries));
        try {
            new MarshalledObject<>(new Object());
        } catch (IOException e) {
            System.out.println(e.getClass());
        }
        UnicastRemoteObject.unexportObject(mine, true);
        UnicastRemoteObject.unexportObject(registry, true);
    }
}
