package pi;

public interface Task<T> {
    T execute();
}
