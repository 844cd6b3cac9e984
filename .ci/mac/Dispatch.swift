// What Dispatch declares, as far as the sources use it.
open class DispatchQueue {
  public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {}
}
